"""Paper 1: Liskowski, Jaskowski, Krawiec, Learning to Play Othello with Deep Neural Networks."""
