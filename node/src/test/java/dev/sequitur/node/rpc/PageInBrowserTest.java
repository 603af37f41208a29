package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.Keys;

/** The node's page as a person sees it, over a fake node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageInBrowserTest {
  private final RunningRpc rpc = RunningRpc.withDefaults();
  private Browser browser;

  @BeforeAll
  void open() {
    browser = Browser.open();
  }

  @AfterAll
  void close() {
    if (browser != null) {
      browser.close();
    }
    rpc.close();
  }

  @AfterEach
  void theBrowserHadNothingToComplainOf() {
    assertThat(browser.complaints()).isEmpty();
  }

  private void show(String address) {
    browser.show(rpc.uri("/page/" + address).toString());
  }

  @Test
  void aContractShowsWhoCoordinatesNowAndNextAndWhoIsAway() {
    show("#/contract/" + Sample.CONTRACT);

    browser.await("#coordinator", "node2 coordinates at block 8.", "From block 100 on");
    browser.await(
        ".members",
        "coordinates",
        "Nearest to the range's point.",
        "away",
        "tried again in",
        "It did not answer a delegation.");
    browser.await(".warning", "Held off:", "It ends in", "at the latest");
    browser.await(".ranges", "from 0", "from 100");
    assertThat(browser.all(".ring .part")).hasSize(2);
  }

  @Test
  void aContractThatTheNodeDoesNotKnowIsSaidToBeUnknown() {
    show("#/contract/0x2222222222222222222222222222222222222222");
    browser.await(".problem", "in no privacy group of the contract 0x2222");
  }

  @Test
  void theNodeShowsItsHealthItsPeersAndCharts() {
    show("#/node");
    browser.await("h1", "Node node1");
    browser.await("#health", "Calls can");
    browser.find(".chart canvas");
  }

  @Test
  void itIsUsedWithTheKeyboardAlone() {
    show("#/contracts");
    browser.await("h1", "Contracts");
    browser.find("nav a").sendKeys(Keys.TAB);
    assertThat(browser.focused().getText()).isEqualTo("Node");
    browser.press(Keys.ENTER);
    browser.await("h1", "Node");
    assertThat(browser.address()).endsWith("/page/#/node");
    assertThat(browser.focused().getTagName()).isEqualTo("main");
  }

  @Test
  void nothingIsAskedOfAnotherHost() {
    show("#/node");
    browser.find(".chart canvas");
    var elsewhere =
        browser.evaluate(
            "performance.getEntriesByType('resource').map(it => it.name).filter(it => !it.startsWith(location.origin)).join()");
    assertThat(elsewhere).isEqualTo("");
  }

  @Test
  void anAddressThatThePageDoesNotHaveSaysSo() {
    show("#/nowhere");
    browser.await("main", "The page has no");
  }
}
