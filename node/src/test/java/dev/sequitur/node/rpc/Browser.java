package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium without a screen, in which tests look at the node's page. */
public final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test where there is none, and says so. */
  public static Browser open() {
    var browser = program("chromium");
    var driver = program("chromedriver");
    assumeTrue(
        browser.isPresent() && driver.isPresent(),
        "Chromium is missing: apt-get install chromium chromium-driver.");
    var options = new ChromeOptions();
    options.setBinary(browser.get().toFile());
    // Root needs the first; a container's /dev/shm is often too small for the second.
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-background-networking",
        "--window-size=1280,960");
    var logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    var service =
        new ChromeDriverService.Builder().usingDriverExecutable(driver.get().toFile()).build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(path -> path.toFile().canExecute())
        .findFirst();
  }

  /** Goes to an address. */
  public void show(String url) {
    driver.get(url);
  }

  /** Where it is. */
  public String address() {
    return driver.getCurrentUrl();
  }

  public void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** What has the keyboard. */
  public WebElement focused() {
    return driver.switchTo().activeElement();
  }

  public WebElement find(String css) {
    return patiently()
        .ignoreException(NoSuchElementException.class)
        .until(() -> driver.findElement(By.cssSelector(css)), found -> true);
  }

  public List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  /** All that a person can read now. */
  public String text() {
    return text("body");
  }

  public String text(String css) {
    try {
      return find(css).getText();
    } catch (StaleElementReferenceException e) {
      return "";
    }
  }

  /** Waits until a part of the page has these words. */
  public void await(String css, String... words) {
    patiently().untilAsserted(() -> assertThat(text(css)).contains(words));
  }

  /** Waits until there are more than so many of these. */
  public void awaitMoreThan(int count, String css) {
    patiently().untilAsserted(() -> assertThat(all(css)).hasSizeGreaterThan(count));
  }

  private static ConditionFactory patiently() {
    return Awaitility.await().atMost(PATIENCE);
  }

  /** What an expression of JavaScript is. */
  public Object evaluate(String expression) {
    return ((JavascriptExecutor) driver).executeScript("return " + expression);
  }

  /** What the browser complained of since it was asked last: errors, and what a policy refused. */
  public List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Whether the person likes light pages, or dark ones. */
  public void prefers(String lightOrDark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
  }

  /** From now on what it shows is as wide as this, as on a phone. */
  public void isWide(int pixels) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", pixels, "height", 844, "deviceScaleFactor", 1, "mobile", false));
  }

  /** A picture of what is shown, as PNG. */
  public byte[] picture() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
