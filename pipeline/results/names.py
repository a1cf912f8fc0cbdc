"""Encode any text as an HDF5 link name, reversibly: marker and model-output labels come from unchecked files."""

from urllib.parse import quote, unquote

_PLAIN = " !#$&'()*+,:;<=>?@[]^`{|}~\"\\"
_EMPTY = "%"


def escape(text: str) -> str:
    """Percent-encode what HDF5 names cannot hold ("/", ".", "..", ""), "%", and everything but printable ASCII."""
    if text in {"", ".", ".."}:
        return text.replace(".", "%2E") or _EMPTY
    return quote(text, safe=_PLAIN, errors="surrogatepass")


def unescape(name: str) -> str:
    """The text that `escape` encoded."""
    return "" if name == _EMPTY else unquote(name, errors="surrogatepass")
