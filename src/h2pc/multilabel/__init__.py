"""Multi-label learning: powersets of labels, classifiers, their data and their measures."""
