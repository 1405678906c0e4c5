interface LockedPackage {
  version: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
}
interface LockFile {
  packages: Record<string, LockedPackage>;
}
export function compareWithLockFile(
  lockFile: LockFile,
  record: LockFile,
  platform?: { platform: string; arch: string },
): "development" | "start" | null;
