package dev.sequitur.console.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WithoutSecretsTest {
  private static String shown(String hocon) {
    return WithoutSecrets.text(ConfigFactory.parseString(hocon));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql.password = hunter2",
        "a.database-password = hunter2",
        "key-passphrase = hunter2",
        "a.token = hunter2",
        "a.token = 424242",
        "client_secret = hunter2",
        "rpc.apiKey = hunter2",
        "rpc.api-key = hunter2",
        "tracing.headers { authorization = \"Bearer hunter2\" }",
        "tracing.headers = [\"x hunter2\"]",
        "credentials { user = hunter2 }",
        "node.seed = hunter2",
        "jwt.keys = hunter2",
        "jwt { key = [hunter2] }",
        "akka.remote { shared-secret = hunter2 }",
        "url = \"jdbc:postgresql://alice:hunter2@db.example:5432/sequitur\"",
        "url = \"jdbc:postgresql://alice:hunt/er2hunter2@db.example:5432/sequitur\"",
        "url = \"jdbc:postgresql://db.example:5432/sequitur?password=hunter2\"",
        "url = \"jdbc:postgresql:sequitur?user=alice&password=hunter2\"",
        "rpc = [\"http://127.0.0.1:8545\", \"https://chain.example/v3/hunter2\"]",
        "rpc = \"https://chain.example?key=hunter2\"",
        "several = \"http://one.example, https://alice:hunter2@two.example\"",
        "option = \"-Dmy.password=hunter2\"",
        "pem = \"-----BEGIN PRIVATE KEY-----\\nhunter2\\n\"",
        "what = hunter2f00df00df00df00df00df00df00df00d",
        "list = [{ list = [{ my-token = hunter2 }] }]"
      })
  void noneOfTheseIsShown(String secret) {
    assertThat(shown(secret)).doesNotContain("hunt").doesNotContain("424242");
  }

  @Test
  void whatHelpsIsShown() {
    assertThat(
            shown(
                """
                node.name = node1
                node.data-directory = /var/lib/sequitur
                rpc { port = 8545, tls.enabled = true, host-names = [one.example] }
                cluster.seed-nodes = ["one.example:25520"]
                postgresql.url = "jdbc:postgresql://db.example:5432/sequitur"
                ledger.ethereum.rpc = ["http://127.0.0.1:8545"]
                ledger.ethereum.factory = "0x1111111111111111111111111111111111111111"
                transport.peers { node2 = "a.example:9000, b.example:9000" }
                timeouts.call = 30s
                """))
        .contains("name=node1")
        .contains("\"/var/lib/sequitur\"")
        .contains("port=8545")
        .contains("enabled=true")
        .contains("\"one.example:25520\"")
        .contains("\"jdbc:postgresql://db.example:5432/…\"")
        .contains("\"http://127.0.0.1:8545\"")
        .contains("\"0x1111111111111111111111111111111111111111\"")
        .contains("\"a.example:9000, b.example:9000\"")
        .contains("call=\"30s\"");
  }

  @Test
  void whetherASecretIsSetIsShown() {
    assertThat(shown("password = \"\", token = x, secret = null"))
        .contains("password=\"\"")
        .contains("token=\"(hidden)\"")
        .contains("secret=null");
  }
}
