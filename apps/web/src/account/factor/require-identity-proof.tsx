import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { loadTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { IdentityProofDialog, guardAction } from "./identity-proof-dialog.tsx";

/** A dialog over a form that the server rejected until the session's owner has confirmed their identity. */
export function RequireIdentityProof({ done, onClose }: { done: () => void; onClose: () => void }) {
  const { data: factors } = useCall(factorCalls.list, {});
  if (!factors) return null;
  return (
    <IdentityProofDialog
      action={guardAction(factorCalls.prove, { done })}
      proofs={{ password: factors.hasPassword, code: factors.totp || factors.recoveryLeft > 0 }}
      onClose={onClose}
    />
  );
}

await loadTexts("factor");
