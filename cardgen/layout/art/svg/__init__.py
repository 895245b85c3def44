"""SVG files turned into items: shapes, strokes, gradients, texts and pictures, in full colour.

What a file holds that cannot be drawn is an error that names its element and line.
"""
