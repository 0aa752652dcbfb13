"""How commands write files."""

import pytest

from h2pc.cli.outputs import write


@pytest.mark.parametrize("content", ["text\n", b"\0bytes"])
def test_a_file_replaces_the_old_one_or_is_told_by_its_own_name(tmp_path, content):
    file = tmp_path / "file"
    file.write_text("old")
    write(file, content)

    assert file.read_bytes() == (content if isinstance(content, bytes) else content.encode())
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(FileNotFoundError) as error:
        write(tmp_path / "nowhere" / "file", content)
    assert error.value.filename == str(tmp_path / "nowhere" / "file")
