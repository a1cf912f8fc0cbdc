"""Ground reactions from motion: the force that the body's motion needs, split between the feet by a learned model.

If both arms and the trunk have markers, Newton's and Euler's equations of the whole body give the total load of the
ground. In single support it acts on one foot. In double support it is split according to the position of the
zero-moment point between the feet's centres of pressure, along paths under the feet that were learned from plates.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
