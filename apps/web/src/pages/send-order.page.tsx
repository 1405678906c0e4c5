import { SendOrder } from "../order/form/send-order.tsx";

export const Page = () => <SendOrder />;
