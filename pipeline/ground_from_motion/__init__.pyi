from .learned import load_learned as load_learned
from .on_skeleton import FilledWalk as FilledWalk
from .on_skeleton import with_estimated_loads as with_estimated_loads
from .walk import ground_from_motion as ground_from_motion
