/**
 * Returns what is installed in the locked versions, by us or by npm itself, as `npm install` does: "development", or
 * "start" if only packages of development are missing; null if others are.
 */
export function compareWithLockFile(lockFile, record, platform = process) {
  const isMissing = ([location, { version, optional, ...limits }]) => {
    if (!location.includes("node_modules/")) return false;
    const installed = record.packages[location];
    return installed ? installed.version !== version : !optional || fitsPlatform(limits, platform);
  };
  const missing = Object.entries(lockFile.packages).filter(isMissing);
  if (missing.length === 0) return "development";
  return missing.every(([, { dev, devOptional }]) => dev || devOptional) ? "start" : null;
}

// A package without its own platform belongs to one that has a platform, and is missing together with it.
const fitsPlatform = ({ os, cpu, libc }, { platform, arch }) =>
  Boolean(os ?? cpu) && isAllowed(os, platform) && isAllowed(cpu, arch) && isAllowed(libc, "glibc");
const isAllowed = (allowed, current) => !allowed || allowed.includes(current);
