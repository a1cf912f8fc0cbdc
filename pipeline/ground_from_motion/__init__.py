"""Ground reactions from motion: the force that the body's motion needs, split between the feet by learned numbers.

Where both arms and trunk carry markers, Newton's and Euler's equations of the whole body give the total load of the
ground. In single support it is that of one foot; in double support it is split by where the zero-moment point lies
between the feet's centres of pressure, along paths under the feet that were learned on plates.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
