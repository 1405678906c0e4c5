/**
 * The environment of a program that is not ours. The settings of our server (`scripts/lib/memory-settings.mjs`), which
 * this process has as well, made Orthanc three times as slow.
 */
export const peerEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MALLOC|NODE)_/.test(name)));
