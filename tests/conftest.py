"""What all tests share: properties are about results, so how long an example takes on a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("flipbook", deadline=None)
settings.load_profile("flipbook")
