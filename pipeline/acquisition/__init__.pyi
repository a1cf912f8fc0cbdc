from .belt import MIN_BELT as MIN_BELT
from .body_size import check_size as check_size
from .ground_reaction import centre_of_pressure as centre_of_pressure
from .ground_reaction import free_moment as free_moment
from .ground_reaction import surface_normal as surface_normal
from .lab_axes import AxisOverrides as AxisOverrides
from .reader import FILE_KINDS as FILE_KINDS
from .reader import read_trial as read_trial
