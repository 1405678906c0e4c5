/** The path that other programs open. */
export const launchPath = "/launch";
/** The page that finds the patient, behind the sign-in. */
export const launchedPatientPath = "/launch/patient";
/** The path that IHE Invoke Image Display prescribes; callers write it in any case. */
export const invokeImageDisplayPath = "/IHEInvokeImageDisplay";
export const isInvokeImageDisplayPath = (path: string): boolean =>
  path.toLowerCase() === invokeImageDisplayPath.toLowerCase();
