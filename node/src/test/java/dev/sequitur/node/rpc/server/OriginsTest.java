package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginsTest {
  private final Origins origins = new Origins(Set.of("https://ops.example"), true, false);

  @Test
  void aProgramSendsNoOrigin() {
    assertThat(origins.allows(Optional.empty())).isTrue();
  }

  @Test
  void loopbackIsAllowedOnlyWhereItIsWanted() {
    var strict = new Origins(Set.of("http://localhost:3000"), false, false);
    assertThat(strict.allows(Optional.of("http://localhost:3000"))).isTrue();
    assertThat(strict.allows(Optional.of("http://localhost:3001"))).isFalse();
    assertThat(strict.allows(Optional.of("http://127.0.0.1"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080,true",
    "http://127.0.0.1,true",
    "http://[::1]:99,true",
    "https://ops.example,true",
    "https://ops.example.evil,false",
    "http://localhost.evil,false",
    "http://127.0.0.1.evil,false",
    "http://evil@x,false",
    "null,false",
    "'%%%',false"
  })
  void onlyLoopbackAndWhatIsListedIsAllowed(String origin, boolean allowed) {
    assertThat(origins.allows(Optional.of(origin))).isEqualTo(allowed);
  }
}
