import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { idleState } from "../../session/idle-watch.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";

const topmostZIndex = 1000;

/** The warning a minute before the lock. Any input keeps the session; the button is for users who look for one. */
export function IdleWarning() {
  const t = useTexts("shell");
  const now = useStore(idleState);
  if (now.kind !== "warning") return null;
  return (
    <Modal
      opened
      onClose={() => {}}
      title={t("shell.idle.title")}
      withCloseButton={false}
      size="sm"
      zIndex={topmostZIndex}
    >
      <Stack gap="md">
        <Text size="sm" className="arcada-figures">
          {t("shell.idle.text", { count: now.seconds })}
        </Text>
        <Group justify="flex-end">
          <Button data-autofocus>{t("shell.idle.stay")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
