package dev.sequitur.benchmarks.hapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads the schedules that wait, page after page, of the mirror's view.
 *
 * @param address of the mirror's view
 */
record WaitingSchedules(String address) {
  /** While the queue comes back; each lasts until the mirror's view gives up. */
  private static final int TRIES = 20;

  private static final int UNAVAILABLE = 503;
  private static final String FIRST = "/api/v1/schedules?limit=100";

  /**
   * @param signers the keys of all, in base64
   */
  record Found(int schedules, int signatures, Set<String> signers) {}

  Found read() throws IOException {
    int schedules = 0;
    int signatures = 0;
    var signers = new HashSet<String>();
    try (var http = HttpClient.newHttpClient()) {
      for (var next = FIRST; next != null; ) {
        var page = page(http, next);
        for (var schedule : page.get("schedules")) {
          if (!schedule.get("executed_timestamp").isNull()) {
            continue;
          }
          schedules++;
          for (var signature : schedule.get("signatures")) {
            signatures++;
            signers.add(signature.get("public_key_prefix").textValue());
          }
        }
        next = page.at("/links/next").textValue();
      }
    }
    return new Found(schedules, signatures, signers);
  }

  private JsonNode page(HttpClient http, String path) throws IOException {
    try {
      var request = HttpRequest.newBuilder(URI.create("http://" + address + path)).build();
      var response = http.send(request, BodyHandlers.ofByteArray());
      for (int i = 0; i < TRIES && response.statusCode() == UNAVAILABLE; i++) {
        response = http.send(request, BodyHandlers.ofByteArray());
      }
      if (response.statusCode() != 200) {
        throw new IOException(path + ": " + new String(response.body(), StandardCharsets.UTF_8));
      }
      return JsonText.parse(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
