import { pinyin } from "pinyin-pro";

/** Builds the dictionary, which needs 25 ms that the first patient's name would cost all requests. */
export const warmUpPinyin = (): void => void pinyin("王");
