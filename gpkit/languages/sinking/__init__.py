"""The sinking language (``.sink``): programs consist of blocks of instructions that shoot at ships."""
