"""The sinking language (``.sink``): blocks of instructions that shoot at ships."""
