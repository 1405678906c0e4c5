const codecNames: Readonly<Record<string, string>> = {
  avc1: "H.264",
  avc3: "H.264",
  hvc1: "HEVC",
  hev1: "HEVC",
  dvh1: "HEVC",
  dvhe: "HEVC",
  av01: "AV1",
  vp09: "VP9",
  mp4v: "MPEG-4",
};

/** The usual name of an encoding; its four characters where it has none. */
export const nameCodec = (codec: string): string => codecNames[codec] ?? codec.trim();

/** "1:05" */
export function formatVideoLength(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
