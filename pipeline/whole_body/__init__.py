"""A walk on the 55-joint skeleton: recursive dynamics, pelvis residuals, residual reduction, forward check."""
