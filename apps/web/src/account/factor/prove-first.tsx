import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { loadTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { ProofDialog, toProve } from "./proof-dialog.tsx";

/** Stands over a form that the server refused until the owner of the session has shown who they are. */
export function ProveFirst({ done, onClose }: { done: () => void; onClose: () => void }) {
  const { data: factors } = useCall(factorCalls.list, {});
  if (!factors) return null;
  return (
    <ProofDialog
      of={toProve(factorCalls.prove, { done })}
      has={{ password: factors.hasPassword, code: factors.totp || factors.recoveryLeft > 0 }}
      onClose={onClose}
    />
  );
}

await loadTexts("factor");
