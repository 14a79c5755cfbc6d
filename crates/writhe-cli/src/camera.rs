//! What is up in a picture when the user does not say.
