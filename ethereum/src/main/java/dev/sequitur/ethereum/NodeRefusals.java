package dev.sequitur.ethereum;

import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.ethereum.ChainRpc.Call;
import java.util.Locale;

/**
 * Whether what a node says to a call is about the call, or about the node: its quota is used up, it
 * keeps no old states, it takes no transactions, it lacks a block. Another node may answer then
 * (CHN-5). Pure.
 */
final class NodeRefusals {
  /** What geth and those that follow it answer where a contract reverts. */
  private static final int REVERTED = 3;

  /** What those that count their callers' calls answer. */
  private static final int LIMIT_EXCEEDED = -32005;

  private NodeRefusals() {}

  /** Whether it is about how often a caller calls, and not about how many calls came at once. */
  static boolean isOfTheQuota(Answer.Refusal refusal) {
    var words = refusal.message().toLowerCase(Locale.ROOT);
    return !words.contains("batch")
        && (refusal.code() == LIMIT_EXCEEDED
            || words.contains("limit")
            || words.contains("quota")
            || words.contains("too many requests"));
  }

  /** Whether no other node needs to be asked. */
  static boolean isSettled(Call call, Answer answer) {
    return switch (answer) {
      case Answer.Result(var value) -> !call.there() || !value.isNull();
      case Answer.Refusal(var code, var message, var data) ->
          switch (call.method()) {
            case "eth_call", "eth_estimateGas" ->
                code == REVERTED || data.startsWith("0x") || isOfTheContract(message);
            case "eth_sendRawTransaction" -> isOfTheTransaction(message);
            default -> false;
          };
    };
  }

  /**
   * Whether a call that nobody answers may be answered if it is asked with less beside it. Who has
   * called too often is not asked again, and no pool becomes less full by that.
   */
  static boolean mayBeOfTheRequest(Call call, Answer answer) {
    return answer instanceof Answer.Refusal refusal
        && !isSettled(call, answer)
        && !isOfTheQuota(refusal)
        && !(call.method().equals("eth_sendRawTransaction")
            && PoolAnswers.meaning(refusal.message()) == PoolAnswers.Meaning.FULL);
  }

  private static boolean isOfTheContract(String message) {
    var words = message.toLowerCase(Locale.ROOT);
    return words.contains("revert")
        || words.contains("invalid opcode")
        || words.contains("out of gas")
        || words.contains("outofgas");
  }

  /** A pool that is full is one node's. */
  private static boolean isOfTheTransaction(String message) {
    return switch (PoolAnswers.meaning(message)) {
      case KNOWN, NONCE_USED, NO_MONEY, UNDERPRICED, INVALID -> true;
      case FULL, UNCLEAR -> false;
    };
  }
}
