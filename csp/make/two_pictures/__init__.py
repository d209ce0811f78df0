"""Which jigsaw shows two given pictures best."""
