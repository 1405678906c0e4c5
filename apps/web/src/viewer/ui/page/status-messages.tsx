import { Button, Loader, Progress, Text } from "@mantine/core";
import { IconAlertTriangle, IconFileDescription, IconFileTypePdf, IconPhotoOff } from "@tabler/icons-react";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./status-messages.module.css";

/** `part`: the loaded share, 0 to 1; absent if unknown. */
export function Loading({ label, part }: { label: string; part?: number }) {
  return (
    <div className={styles.state} role="status">
      <Loader size="sm" />
      <Text size="sm">{label}</Text>
      {part !== undefined && part > 0 && (
        <Progress className={styles.bar} value={part * 100} size="sm" aria-label={label} />
      )}
    </div>
  );
}

export function Failed({ label, onRetry }: { label: string; onRetry?: (() => void) | undefined }) {
  const t = useTexts("viewer");
  return (
    <div className={styles.state} role="alert">
      <IconAlertTriangle size={32} stroke={1.4} aria-hidden />
      <Text size="sm">{label}</Text>
      {onRetry && (
        <Button size="xs" variant="light" onClick={onRetry}>
          {t("viewer.again")}
        </Button>
      )}
    </div>
  );
}

/** A document is opened by another program: a foreign one within our page would look as trustworthy as ours. */
export function DocumentFile({ label, url, isPdf }: { label: string; url: string | null; isPdf: boolean }) {
  const t = useTexts("viewer");
  return (
    <div className={styles.state}>
      {isPdf ? (
        <IconFileTypePdf size={40} stroke={1.3} aria-hidden />
      ) : (
        <IconFileDescription size={40} stroke={1.3} aria-hidden />
      )}
      <Text size="sm">{label}</Text>
      {url === null ? (
        <Text size="sm">{t("viewer.document.withheld")}</Text>
      ) : (
        <Button component="a" href={url} download size="xs" variant="light">
          {t(isPdf ? "viewer.document.open" : "viewer.document.save")}
        </Button>
      )}
    </div>
  );
}

export const NothingToShow = ({ label }: { label: string }) => (
  <div className={styles.state}>
    <IconPhotoOff size={32} stroke={1.4} aria-hidden />
    <Text size="sm">{label}</Text>
  </div>
);
