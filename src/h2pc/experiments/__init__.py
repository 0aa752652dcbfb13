"""The experiments of the paper, and the accuracy of learners beside other libraries."""
