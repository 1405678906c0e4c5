import { SendOrder } from "../order/form/load-order-form.tsx";

export const Page = () => <SendOrder />;
