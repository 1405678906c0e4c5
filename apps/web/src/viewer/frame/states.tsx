import { Button, Loader, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconPhotoOff } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import styles from "./states.module.css";

/** `part`: how much has come, 0 to 1; unknown without. */
export function Loading({ label, part }: { label: string; part?: number }) {
  return (
    <Stack className={styles.state} role="status" gap="sm">
      <Loader size="sm" />
      <Text size="sm">{label}</Text>
      {part !== undefined && part > 0 && <Progress className={styles.bar} value={part * 100} size="sm" aria-label={label} />}
    </Stack>
  );
}

export function Failed({ label, onAgain }: { label: string; onAgain?: (() => void) | undefined }) {
  const t = useTexts("viewer");
  return (
    <Stack className={styles.state} role="alert" gap="sm">
      <IconAlertTriangle size={32} stroke={1.4} aria-hidden />
      <Text size="sm">{label}</Text>
      {onAgain && (
        <Button size="xs" variant="light" onClick={onAgain}>
          {t("viewer.again")}
        </Button>
      )}
    </Stack>
  );
}

export const Nothing = ({ label }: { label: string }) => (
  <Stack className={styles.state} gap="sm">
    <IconPhotoOff size={32} stroke={1.4} aria-hidden />
    <Text size="sm">{label}</Text>
  </Stack>
);
