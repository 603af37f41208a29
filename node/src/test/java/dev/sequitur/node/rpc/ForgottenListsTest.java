package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.port.RoomStore.Bound;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A list that comes to what is forgotten says up to where that is. */
class ForgottenListsTest {
  private static RunningRpc whole;
  private static RunningRpc pruned;

  @BeforeAll
  static void start() {
    whole = RunningRpc.withDefaults();
    pruned = RunningRpc.withDefaults();
    pruned.node.store().forgottenUpTo(new Bound(5, Instant.parse("2026-11-21T09:30:00Z")));
  }

  @AfterAll
  static void stop() {
    whole.close();
    pruned.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ptx_queryTransactions | [{'limit':100}] | true",
        "ptx_queryTransactionsFull | [{'limit':100}] | true",
        "ptx_queryTransactions | [{'limit':1}] | false",
        "ptx_queryTransactions | [{'limit':100,'gte':[{'field':'created','value':'2026-11-21T09:00:00Z'}]}] | true",
        "ptx_queryTransactions | [{'limit':100,'gte':[{'field':'created','value':'2026-11-21T09:30:01Z'}]}] | false",
        "ptx_queryPendingTransactions | [{'limit':100}] | false",
        "ptx_queryTransactionReceipts | [{'limit':100}] | true",
        "ptx_queryTransactionReceipts | [{'limit':100,'gte':[{'field':'sequence','value':4}]}] | true",
        "ptx_queryTransactionReceipts | [{'limit':100,'gte':[{'field':'sequence','value':5}]}] | false",
        "ptx_queryPreparedTransactions | [{'limit':100}] | true",
        "pstate_queryContractStates | ['token','0x1111111111111111111111111111111111111111','coin',{'limit':100},'spent'] | true",
        "pstate_queryContractStates | ['token','0x1111111111111111111111111111111111111111','coin',{'limit':100},'available'] | false",
      })
  void itIsToldBesideTheResultWhereTheRangeBeginsBefore(
      String method, String params, boolean isTold) {
    var asked = params.replace('\'', '"');

    var answer = pruned.call(method, asked);

    assertThat(answer.has("result")).as(answer.toString()).isTrue();
    assertThat(answer.has("forgotten")).isEqualTo(isTold);
    if (isTold) {
      assertThat(answer.get("forgotten"))
          .hasToString("{\"before\":5,\"ended\":\"2026-11-21T09:30:00Z\"}");
    }
    assertThat(whole.call(method, asked).has("forgotten")).as("nothing is").isFalse();
  }
}
