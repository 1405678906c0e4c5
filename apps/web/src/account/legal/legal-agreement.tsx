import { Anchor, Checkbox } from "@mantine/core";
import { useState } from "react";
import type { LegalKind } from "@arcada/contract/account/profile.calls";
import { useTexts } from "../../i18n/texts.ts";
import { LegalDialog } from "./legal-dialog.tsx";

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
