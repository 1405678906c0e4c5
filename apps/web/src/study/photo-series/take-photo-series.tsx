import { Button, Text } from "@mantine/core";
import {
  IconArrowRight,
  IconCamera,
  IconFlipVertical,
  IconPhotoUp,
  IconRefresh,
  IconRotateClockwise,
  IconX,
} from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { photoViews } from "@arcada/contract/study/mount-layouts";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import { useLeaveGuard } from "../../browser/leave-guard.ts";
import { toast } from "../../browser/toast.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { capturePhoto, readPhoto } from "./photo-canvas.ts";
import { PhotoViewOutline } from "./photo-view-outline.tsx";
import { PhotoViewStrip } from "./photo-view-strip.tsx";
import { useCamera } from "./use-camera.ts";
import { useTakenPhotos } from "./use-taken-photos.ts";
import type { TakenPhotos } from "./use-taken-photos.ts";
import classes from "./take-photo-series.module.css";

interface TakePhotoSeriesProps {
  patientName: string;
  onClose: () => void;
  onSave: (photos: TakenPhotos) => void;
}

/** Views that are photographed in a mirror, so that the picture has its sides exchanged. */
const mirroredViews: readonly PhotoView[] = ["mouth.upper", "mouth.lower"];

/** The guided photo series, over the whole screen: one view after the other, with its outline over the camera's picture. */
export function TakePhotoSeries({ patientName, onClose, onSave }: TakePhotoSeriesProps) {
  const t = useTexts("study");
  const series = useTakenPhotos();
  const { current, shown, count } = series;
  const { video, state: camera } = useCamera();
  const [isSaved, setSaved] = useState(false);
  const [mirrored, setMirrored] = useState<readonly PhotoView[]>(mirroredViews);
  const isMirrored = mirrored.includes(current);
  const guard = useLeaveGuard(count > 0 && !isSaved);
  const add = (photo: Promise<Blob>) =>
    void photo.then(series.add).catch(() => toast("error", t("study.photoSeries.unreadable")));
  const saved = useRef({ onSave, photos: series.photos });
  useEffect(() => void (saved.current = { onSave, photos: series.photos }));
  // The page is left only after the guard above has let go of it.
  useEffect(() => {
    if (isSaved) saved.current.onSave(saved.current.photos);
  }, [isSaved]);
  return (
    <div className={classes.stage}>
      <header className={classes.head}>
        <button type="button" className={classes.close} aria-label={t("common.close")} onClick={onClose}>
          <IconX size={22} aria-hidden />
        </button>
        <div className={classes.titles}>
          <h1 className={classes.title}>{t(`study.photoSeries.view.${current}`)}</h1>
          <Text size="xs" className={classes.subject} truncate>
            {t("study.photoSeries.progress", { count, all: photoViews.length })} · {patientName}
          </Text>
        </div>
        {count > 0 && (
          <Button size="sm" onClick={() => setSaved(true)}>
            {t("study.photoSeries.save", { count })}
          </Button>
        )}
      </header>
      <div className={classes.view}>
        <video
          ref={video}
          muted
          playsInline
          className={classes.video}
          data-live={camera === "live" || undefined}
          data-mirrored={isMirrored || undefined}
        />
        {shown ? (
          <img src={shown.url} alt={t(`study.photoSeries.view.${current}`)} className={classes.photo} />
        ) : (
          <>
            <PhotoViewOutline view={current} className={classes.outline} />
            <Text size="sm" className={classes.hint} role="status">
              {t(camera === "unavailable" ? "study.photoSeries.noCamera" : `study.photoSeries.hint.${current}`)}
            </Text>
          </>
        )}
      </div>
      <PhotoViewStrip photos={series.photos} current={current} onGo={series.go} />
      <footer className={classes.tools}>
        {shown ? (
          <PhotoTools
            onChange={(change) => void series.change(change)}
            onRetake={series.retake}
            onNext={count < photoViews.length ? series.next : null}
          />
        ) : (
          <CameraTools
            isLive={camera === "live"}
            isMirrored={isMirrored}
            onMirror={() =>
              setMirrored((now) => (isMirrored ? now.filter((view) => view !== current) : [...now, current]))
            }
            onTake={() => video.current && add(capturePhoto(video.current, isMirrored))}
            onFile={(file) => add(readPhoto(file, isMirrored))}
            onSkip={series.next}
          />
        )}
      </footer>
      <ConfirmDialog
        opened={guard.isAsking}
        onClose={guard.stay}
        onConfirm={guard.leave}
        title={t("study.photoSeries.leaveTitle")}
        text={t("study.photoSeries.leaveText", { count })}
        confirm={t("study.photoSeries.leave")}
        danger
      />
    </div>
  );
}

interface CameraToolsProps {
  isLive: boolean;
  isMirrored: boolean;
  onMirror: () => void;
  onTake: () => void;
  onFile: (file: File) => void;
  onSkip: () => void;
}

function CameraTools({ isLive, isMirrored, onMirror, onTake, onFile, onSkip }: CameraToolsProps) {
  const t = useTexts("study");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ToolButton label={t("study.photoSeries.mirror")} isPressed={isMirrored} onClick={onMirror}>
        <IconFlipVertical size={22} aria-hidden />
      </ToolButton>
      <ToolButton label={t("study.photoSeries.file")} onClick={() => input.current?.click()}>
        <IconPhotoUp size={22} aria-hidden />
      </ToolButton>
      <button
        type="button"
        className={classes.shutter}
        aria-label={t("study.photoSeries.take")}
        onClick={isLive ? onTake : () => input.current?.click()}
      >
        <IconCamera size={26} aria-hidden />
      </button>
      <ToolButton label={t("study.photoSeries.skip")} onClick={onSkip}>
        <IconArrowRight size={22} aria-hidden />
      </ToolButton>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        // With the live camera a file is one that exists already.
        {...(!isLive && { capture: "environment" })}
        aria-label={t("study.photoSeries.file")}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

interface PhotoToolsProps {
  onChange: (change: "flip" | "turn") => void;
  onRetake: () => void;
  /** Null if every view has its photograph. */
  onNext: (() => void) | null;
}

function PhotoTools({ onChange, onRetake, onNext }: PhotoToolsProps) {
  const t = useTexts("study");
  return (
    <>
      <ToolButton label={t("study.photoSeries.flip")} onClick={() => onChange("flip")}>
        <IconFlipVertical size={22} aria-hidden />
      </ToolButton>
      <ToolButton label={t("study.photoSeries.turn")} onClick={() => onChange("turn")}>
        <IconRotateClockwise size={22} aria-hidden />
      </ToolButton>
      <ToolButton label={t("study.photoSeries.retake")} onClick={onRetake}>
        <IconRefresh size={22} aria-hidden />
      </ToolButton>
      {onNext && (
        <ToolButton label={t("study.photoSeries.next")} onClick={onNext}>
          <IconArrowRight size={22} aria-hidden />
        </ToolButton>
      )}
    </>
  );
}

interface ToolButtonProps {
  label: string;
  isPressed?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function ToolButton({ label, isPressed, onClick, children }: ToolButtonProps) {
  return (
    <button type="button" className={classes.tool} aria-pressed={isPressed} onClick={onClick}>
      {children}
      <span>{label}</span>
    </button>
  );
}
