import { List, Modal, Stack, Text } from "@mantine/core";
import { Suspense } from "react";
import { useTexts } from "../kernel/texts.ts";

export type LegalKind = "terms" | "privacy";

/** The terms and the privacy policy, to be read before they are agreed to. */
export function Legal({ kind, onClose }: { kind: LegalKind | null; onClose: () => void }) {
  const t = useTexts("account");
  return (
    <Modal
      opened={kind !== null}
      onClose={onClose}
      size="lg"
      title={kind && t(`account.${kind}`)}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Suspense>{kind && <Paragraphs kind={kind} />}</Suspense>
    </Modal>
  );
}

const paragraphs = ["1", "2", "3", "4", "5"] as const;

function Paragraphs({ kind }: { kind: LegalKind }) {
  const t = useTexts("legal");
  return (
    <Stack gap="sm">
      <Text size="sm">{t(`legal.${kind}.intro`)}</Text>
      <List size="sm" spacing="xs" type="ordered">
        {paragraphs.map((number) => (
          <List.Item key={number}>{t(`legal.${kind}.${number}`)}</List.Item>
        ))}
      </List>
    </Stack>
  );
}
