package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose disk has less room than it keeps free: the same sentence wherever it is told. */
class FullDiskTest {
  private static final String SENTENCE =
      "nothing is stored below %d bytes (node.min-free-disk-bytes): free some of it."
          .formatted(Long.MAX_VALUE);

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void aFullDiskIsToldInHealthAndToCallers(@TempDir Path directory)
      throws IOException, InterruptedException {
    var configuration =
        NodeConfiguration.embedded(new NodeName("node1"), directory)
            .withAkka(
                ConfigFactory.parseString(
                    "sequitur.persistence.level-db.min-free-disk = " + Long.MAX_VALUE));
    try (var node = new ProcessStarter().startNode(configuration)) {
      var ready = get(node.url() + "/health/ready");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(json(ready).get("troubles").toString()).contains(SENTENCE);
      assertThat(get(node.url() + "/health/live").statusCode()).isEqualTo(200);

      assertThat(create(node.url()).at("/error/message").textValue())
          .startsWith("SQ010903: ")
          .contains(SENTENCE)
          .endsWith("can be sent again under it.");
    }
  }

  private JsonNode create(String url) throws IOException, InterruptedException {
    var call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ptx_createReceiptListener\","
            + "\"params\":[{\"name\":\"one\"}]}";
    return json(
        client.send(
            HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(call)).build(),
            BodyHandlers.ofString()));
  }

  private HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new JsonMapper().readTree(response.body());
  }
}
