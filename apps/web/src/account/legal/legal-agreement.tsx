import { Anchor, Checkbox, Modal } from "@mantine/core";
import { useState, Suspense, lazy } from "react";
import type { LegalKind } from "@arcada/contract/account/legal-texts.calls";
import { useTexts } from "../../i18n/texts.ts";
import { BusyState } from "../../ui/busy-state.tsx";

interface Props {
  checked: boolean;
  onChange: (checked: boolean) => void;
  error: string | undefined;
}

/** A checkbox to agree to the terms and the privacy policy. Both can be read from here. */
export function LegalAgreement({ checked, onChange, error }: Props) {
  const t = useTexts("account");
  const [legal, setLegal] = useState<LegalKind | null>(null);
  const renderLink = (kind: LegalKind) => (
    <Anchor component="button" type="button" size="sm" onClick={() => setLegal(kind)}>
      {t(`account.${kind}`)}
    </Anchor>
  );
  return (
    <>
      <Checkbox
        name="agree"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        error={error}
        label={
          <>
            {t("account.agree")} {renderLink("terms")} {t("account.and")} {renderLink("privacy")}
          </>
        }
      />
      <LegalDialog kind={legal} onClose={() => setLegal(null)} />
    </>
  );
}

const LegalText = lazy(async () => ({ default: (await import("./legal-text.tsx")).LegalText }));

/** The terms and the privacy policy, to be read before they are agreed to. */
function LegalDialog({ kind, onClose }: { kind: LegalKind | null; onClose: () => void }) {
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
