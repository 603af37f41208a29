package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a contract said, in the answers of several makers' nodes. */
class RevertDataTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static String in(String error) throws JsonProcessingException {
    return RevertData.in(JSON.readTree(error));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x4e487b71\"}",
        "{\"code\":3,\"message\":\"m\",\"data\":{\"message\":\"m\",\"txHash\":\"0x01\",\"data\":\"0x4e487b71\"}}",
        "{\"code\":3,\"message\":\"m\",\"data\":{\"message\":\"m\",\"data\":{\"message\":\"m\",\"data\":\"0x4e487b71\"}}}",
        "{\"code\":-32000,\"message\":\"m\",\"data\":{\"hash\":null,\"programCounter\":7,\"result\":\"0x4e487b71\",\"reason\":\"no\"}}",
        "{\"code\":-32000,\"message\":\"m\",\"data\":{\"0x01\":{\"error\":\"revert\",\"return\":\"0x4e487b71\"},\"stack\":\"s\"}}",
        "{\"code\":-32015,\"message\":\"VM execution error.\",\"data\":\"Reverted 0x4e487b71\"}",
        "{\"code\":-32015,\"message\":\"Reverted 0x4e487b71\"}",
        "{\"code\":-32603,\"message\":\"m\",\"data\":{\"originalError\":{\"code\":3,\"data\":\"0x4e487b71\"}}}"
      })
  void isFoundWhereverANodePutsIt(String error) throws JsonProcessingException {
    assertThat(in(error)).isEqualTo("0x4e487b71");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"code\":-32000,\"message\":\"nonce too low\"}",
        "{\"code\":3,\"message\":\"execution reverted\",\"data\":\"0x\"}",
        "{\"code\":3,\"message\":\"m\",\"data\":\"Reverted 0x\"}",
        "{\"code\":3,\"message\":\"m\",\"data\":\"Reverted\"}",
        "{\"code\":3,\"message\":\"m\",\"data\":\"0x123\"}",
        "{\"code\":3,\"message\":\"m\",\"data\":{\"txHash\":\"0x4e487b71\"}}",
        "{\"code\":3,\"message\":\"m\",\"data\":[\"0x4e487b71\"]}",
        "{\"code\":3,\"message\":\"m\",\"data\":null}"
      })
  void whatIsNoneIsTakenForNone(String error) throws JsonProcessingException {
    assertThat(in(error)).isIn("", "0x");
  }

  @Test
  void anAnswerThatGoesDeepIsNotFollowedForEver() throws JsonProcessingException {
    assertThat(in("{\"data\":".repeat(40) + "\"0x4e487b71\"" + "}".repeat(40))).isEmpty();
  }
}
