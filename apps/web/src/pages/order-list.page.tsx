import { FirstStepsCard } from "../institution/first-steps.tsx";
import { OrderList } from "../order/list/order-list.tsx";
import { useSignedInUser } from "../session/current-user.ts";

/** The orders, which are the first page of a laboratory. */
export function Page() {
  const { institution } = useSignedInUser();
  return (
    <>
      {institution?.type === "lab" && <FirstStepsCard />}
      <OrderList />
    </>
  );
}
