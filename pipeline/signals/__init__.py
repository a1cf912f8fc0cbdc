"""Gaps, filters, derivatives, events and contacts.

In: sampled trajectories and loads with gaps. Out: the same, filled, smoothed and differentiated, and the instants at
which feet touch and leave the ground. Knows nothing of bodies.
"""
