import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useTexts } from "../../i18n/texts.ts";
import { useCopy } from "../../ui/use-copy.ts";
import classes from "./factor.module.css";

/** Recovery codes, which are shown only once: the dialog closes by its button alone. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useTexts("factor");
  const text = codes.join("\n");
  const { outcome, copy } = useCopy(text);
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`Arcada\n${text}\n`], { type: "text/plain" }));
    link.download = "arcada-recovery-codes.txt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <Modal
      opened={codes.length > 0}
      onClose={onClose}
      title={t("factor.recoveryTitle")}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text size="sm">{t("factor.recoveryKeep")}</Text>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>
              <Text component="code" ff="monospace" size="sm">
                {code}
              </Text>
            </li>
          ))}
        </ul>
        <Group gap="sm">
          <Button
            variant="default"
            onClick={copy}
            leftSection={outcome === "copied" ? <IconCheck size={18} /> : <IconCopy size={18} />}
            aria-live="polite"
          >
            {t(outcome ? `common.${outcome}` : "factor.recoveryCopy")}
          </Button>
          <Button variant="default" leftSection={<IconDownload size={18} />} onClick={save}>
            {t("factor.recoverySave")}
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t("factor.recoveryKept")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
