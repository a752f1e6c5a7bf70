"""The tables of Fu and Xu (2017), and what our own agent learns from nothing."""
