"""What the operating system says of a file that cannot be used, in both languages."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from types import MappingProxyType

from symattn.text.bilingual import Bilingual

_CHINESE: Mapping[int, str] = MappingProxyType(
    {
        errno.EACCES: "没有权限",
        errno.EBADF: "文件已经关闭",
        errno.EDQUOT: "超出磁盘配额",
        errno.EFBIG: "文件过大",
        errno.EINVAL: "参数无效",
        errno.EIO: "输入输出错误",
        errno.EISDIR: "这是一个目录",
        errno.ELOOP: "符号链接的层数过多",
        errno.EMFILE: "打开的文件过多",
        errno.ENAMETOOLONG: "文件名过长",
        errno.ENODEV: "没有这个设备",
        errno.ENOENT: "没有这个文件或目录",
        errno.ENOSPC: "磁盘空间不足",
        errno.ENOTDIR: "路径中有一部分不是目录",
        errno.ENXIO: "没有这个设备或地址",
        errno.EPERM: "不允许这样操作",
        errno.EPIPE: "管道的另一端已经关闭",
        errno.EROFS: "文件系统是只读的",
    }
)


def why(error: OSError) -> Bilingual:
    """The reason that the system gives, such as "No space left on device"."""
    if error.errno is None:
        return Bilingual(str(error), str(error))
    chinese = _CHINESE.get(error.errno or 0, f"系统错误 {error.errno or ''}".rstrip())
    return Bilingual(error.strerror or str(error), chinese)
