"""The algorithms of the paper, in its words: HPC, MMPC, IAMB, H2PC, and searches by score."""
