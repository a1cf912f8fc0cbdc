"""Cycle alignment, spatiotemporal parameters and measures of agreement.

In: kinematics and loads of whole trials. Out: curves over the gait cycle and scalars that can be compared.
"""
