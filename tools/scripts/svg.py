"""Prints the parts that the pictures of the documentation share."""


def begin(width, height):
    """Begins a picture on white."""
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">')
    print('<rect width="100%" height="100%" fill="#ffffff"/>')


def end():
    print("</svg>")


def text(x, y, content, size=12, color="#555555", anchor="start"):
    print(f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="{anchor}">{content}</text>')
