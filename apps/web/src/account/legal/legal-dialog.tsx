import { Modal } from "@mantine/core";
import { Suspense, lazy } from "react";
import type { LegalKind } from "@arcada/contract/account/profile.calls";
import { useTexts } from "../../i18n/texts.ts";
import { BusyState } from "../../ui/busy-state.tsx";

const LegalText = lazy(async () => ({ default: (await import("./legal-text.tsx")).LegalText }));

/** The terms and the privacy policy, to be read before they are agreed to. */
export function LegalDialog({ kind, onClose }: { kind: LegalKind | null; onClose: () => void }) {
  const t = useTexts("account");
  return (
    <Modal
      opened={kind !== null}
      onClose={onClose}
      size="lg"
      title={kind && t(`account.${kind}`)}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Suspense fallback={<BusyState />}>{kind && <LegalText kind={kind} />}</Suspense>
    </Modal>
  );
}
