import { Button, Text } from "@mantine/core";
import { IconDownload, IconVideoOff } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { Instance } from "@arcada/contract/study/study.schema";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./video-player.module.css";

interface Props {
  name: string;
  video: NonNullable<Instance["video"]>;
  /** The file for saving; null where the reader may not take it. */
  download: string | null;
  /** Fetches a renewed address. */
  renew: () => Promise<string | null>;
}

/** A video with the browser's own controls, which work by keyboard and by screen reader in the reader's language. */
export function VideoPlayer({ name, video, download, renew }: Props) {
  const t = useTexts("viewer");
  const playback = usePlayback(video, renew);
  const codec = nameCodec(video.codec);
  const facts = t("viewer.video.facts", {
    length: formatVideoLength(video.seconds),
    width: video.width,
    height: video.height,
    codec,
  });
  return (
    <div className={styles.player}>
      {playback.url === null ? (
        <Notice text={t("viewer.video.withheld")} />
      ) : playback.isBroken ? (
        <Notice text={isHevc(video.codec) ? t("viewer.video.hevc", { codec }) : t("viewer.video.failed")} />
      ) : (
        // Muted at first: voices beside a camera for the mouth are no part of the record.
        <video
          key={playback.url}
          className={styles.picture}
          src={playback.url}
          controls
          muted
          playsInline
          preload="metadata"
          aria-label={t("viewer.video.label", { name })}
          style={{ aspectRatio: `${video.width} / ${video.height}` }}
          onLoadedMetadata={playback.onLoaded}
          onTimeUpdate={playback.onTime}
          onError={playback.onError}
        />
      )}
      <div className={styles.foot}>
        <Text size="sm" c="dimmed" className="arcada-figures">
          {facts}
        </Text>
        {download && (
          <Button
            component="a"
            href={download}
            download
            size="xs"
            variant="subtle"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t("viewer.video.download")}
          </Button>
        )}
      </div>
    </div>
  );
}

const Notice = ({ text }: { text: string }) => (
  <div className={styles.notice} role="alert">
    <IconVideoOff size={40} stroke={1.3} aria-hidden />
    <Text size="sm">{text}</Text>
  </div>
);

const isHevc = (codec: string): boolean => /^(hvc1|hev1|dvh1|dvhe)$/.test(codec);

/** The address of a file expires while a long video is paused: it is renewed once, and playing goes on where it was. */
function usePlayback(video: Props["video"], renew: Props["renew"]) {
  const [url, setUrl] = useState(video.url);
  const [isBroken, setBroken] = useState(false);
  const state = useRef({ at: 0, isRenewed: false });
  return {
    url,
    isBroken,
    onLoaded: ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
      // A browser without the decoder plays the sound alone.
      if (currentTarget.videoWidth === 0) return setBroken(true);
      if (state.current.at > 0) currentTarget.currentTime = state.current.at;
      state.current.isRenewed = false;
    },
    onTime: ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
      state.current.at = currentTarget.currentTime;
    },
    onError: () => {
      if (state.current.isRenewed) return setBroken(true);
      state.current.isRenewed = true;
      // The same address again means that it is valid, and the file cannot be played.
      void renew().then((fresh) => (fresh && fresh !== url ? setUrl(fresh) : setBroken(true)));
    },
  };
}

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
const nameCodec = (codec: string): string => codecNames[codec] ?? codec.trim();

/** "1:05" */
function formatVideoLength(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
