import { useAppearance } from "../browser/appearance.ts";
import { FirstStepsCard } from "../institution/first-steps.tsx";
import { NoticePresetMenu } from "../notice/preset-menu.tsx";
import { OrderList } from "../order/list/order-list.tsx";
import { useSignedInUser } from "../session/current-user.ts";

/** The orders; the first page of a laboratory whose reader starts with the list. */
export function Page() {
  const { institution } = useSignedInUser();
  const { today } = useAppearance();
  return (
    <>
      {institution?.type === "lab" && !today && <FirstStepsCard offers={{ notices: <NoticePresetMenu /> }} />}
      <OrderList />
    </>
  );
}
