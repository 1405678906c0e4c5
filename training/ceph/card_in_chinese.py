"""The Chinese texts of the card of the finder of landmarks, and those of each name and set of its figures."""
import re

from shared.card_words import MEASURED_IN_PRODUCT

INTENDED_USE = "在侧位头颅片上提示头影测量标志点的位置，并给出各点可能所在的半径。计算任何数值之前，每个点都须由人确认或移动。"
LIMITS = (
    "只用绘制的片训练，只在一张真实片上测量；该片的误差也决定了所给半径的宽度，以及何种片被视为侧位片：其他真实片上的误差未知。"
    "半径为 7 至 9 毫米：提示可省去寻找，不能代替手工定点。它沿片长只看 192 个像素。未在颌裂或术后头颅上试验。"
)
TRAINED_ON = "只用绘制的侧位头颅片：没有真实片，也没有真实标注。"
NAMES = {
    "Mean error, mm": "平均误差（毫米）",
    "Median error, mm": "误差中位数（毫米）",
    "Within 2 mm": "2 毫米以内的比例",
    "one real film (1937); it also set how wide the stated radius is": "一张真实片（1937 年）；它也决定了所给半径的宽度",
}


def calibration_set(films):
    """The set on which the radius of the suggestions was calibrated."""
    return f"{films} drawn films that were held back"


def translate(metrics):
    """The translation of a card with these figures."""
    words = {**MEASURED_IN_PRODUCT, **NAMES}
    for one in metrics:
        found = re.fullmatch(r"(\d+) drawn films of machines that were not trained on", one["set"])
        if found:
            words[one["set"]] = f"{found[1]} 张绘制的片，其设备未用于训练"
            words[calibration_set(found[1])] = f"{found[1]} 张留出的绘制片"
    return {"intendedUse": INTENDED_USE, "limits": LIMITS, "trainedOn": TRAINED_ON, "words": words}
